// A browser extension wallet (EIP-1193, EIP-6963) whose account is signed for by a node: requests go to the node of the
// wallet's current chain. Runs before the page's scripts.
((nodes, chain) => {
  // A wallet that `thinks` never answers when it is to send.
  const wallet = { chain, thinks: false, sends: 0, receipts: 0 };
  const ask = async (method, params = []) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(nodes[wallet.chain], { method: "POST", headers, body });
    const { result, error } = await answer.json();
    if (error) throw error;
    return result;
  };
  const provider = {
    async request({ method, params }) {
      switch (method) {
        case "eth_requestAccounts":
        case "eth_accounts":
          return wallet.chain in nodes ? ask("eth_accounts") : ["0x" + "00".repeat(20)];
        case "eth_chainId":
          return wallet.chain;
        case "wallet_switchEthereumChain": {
          const [{ chainId }] = params;
          if (!(chainId in nodes)) throw { code: 4902, message: "Unrecognized chain ID" };
          wallet.chain = chainId;
          return null;
        }
        case "eth_sendTransaction":
          wallet.sends += 1;
          if (wallet.thinks) return new Promise(() => {});
          return ask(method, params);
        case "eth_getTransactionReceipt":
          wallet.receipts += 1;
          return ask(method, params);
        default:
          return ask(method, params);
      }
    },
  };
  const info = { uuid: "ff7f4a5c-0a0f-4f0e-9f5c-0c7a4f6f2d11", name: "Local", icon: "", rdns: "example.local" };
  const detail = Object.freeze({ info, provider });
  const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  addEventListener("eip6963:requestProvider", announce);
  announce();
  window.wallet = wallet;
})
