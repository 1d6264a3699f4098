/*
 * Wallets as browser extensions put them into a page: faithful in what they are asked and what
 * they answer. `asked` is all that was asked of one, as [method, parameters].
 */
const says = (error) => { throw error; };

/** What a test decides for the buyer: `answer` is called with what the buyer is asked. */
function buyer() {
  const wallet = { asked: [], answer: () => {} };
  wallet.ask = (method, ...params) => {
    wallet.asked.push([method, ...params]);
    return wallet.answer(method, ...params);
  };
  return wallet;
}

/** A wallet of Ethereum and its kin (EIP-1193, EIP-3326), on a chain, and knowing others. */
function evm(chain, known) {
  const wallet = buyer();
  wallet.chain = chain;
  wallet.hash = "0x" + "ab".repeat(32);
  wallet.accounts = ["0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"];
  // What its node answers, by method; nothing unless a test says so.
  wallet.node = {};
  const methods = {
    eth_requestAccounts: () => wallet.accounts,
    eth_accounts: () => wallet.accounts,
    eth_chainId: () => wallet.chain,
    wallet_switchEthereumChain: ([{ chainId }]) => {
      if (!known.includes(chainId)) says({ code: 4902, message: "Unrecognized chain ID" });
      wallet.chain = chainId;
      return null;
    },
    eth_sendTransaction: () => wallet.hash,
  };
  wallet.provider = {
    async request({ method, params }) {
      await wallet.ask(method, params);
      if (method in wallet.node) return wallet.node[method];
      return (methods[method] ?? says({ code: 4200, message: "Unsupported method" }))(params);
    },
  };
  return wallet;
}

/** TronLink: `current` as of TIP-1193, else as of before. Its node is TRON's main one, or not. */
function tron(current, main) {
  const wallet = buyer();
  const account = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC";
  wallet.hash = "cd".repeat(32);
  const transaction = (contract) => ({ txID: wallet.hash, raw_data: { contract, expiration: 1_000_000 } });
  // What its node answers, by method; without it the node can't be reached.
  wallet.node = {};
  const read = (method) => async () => wallet.node[method] ?? says("Network Error");
  const tronWeb = {
    defaultAddress: { base58: false },
    trx: {
      async getBlockByNumber(number) {
        const end = main ? "2b6653dc" : "cd8690dc";
        return number === 0 ? { blockID: "00000000000000001ebf88508a03865c71d452e25f4d511941960000" + end } : {};
      },
      getBalance: read("getBalance"),
      getAccountResources: read("getAccountResources"),
      getChainParameters: read("getChainParameters"),
      getTransactionInfo: read("getTransactionInfo"),
      getConfirmedCurrentBlock: read("getConfirmedCurrentBlock"),
      async sign(unsigned) {
        await wallet.ask("sign", unsigned);
        return { ...unsigned, signature: ["00"] };
      },
      async sendRawTransaction(signed) {
        if (!Array.isArray(signed.signature)) says("Transaction is not signed");
        wallet.asked.push(["sendRawTransaction", signed.txID]);
        if (wallet.sent === "lost") says("Network Error");
        return wallet.sent ?? { result: true, txid: signed.txID, transaction: signed };
      },
    },
    transactionBuilder: {
      async sendTrx(to, amount, from) {
        wallet.asked.push(["sendTrx", to, amount, from]);
        if (wallet.refuses) says(wallet.refuses);
        return transaction("TransferContract");
      },
      async triggerConstantContract(contract, selector) {
        const result = wallet.node[selector] ?? says("Network Error");
        return { result: { result: true }, ...result };
      },
      async triggerSmartContract(contract, selector, options, parameters, from) {
        wallet.asked.push(["triggerSmartContract", contract, selector, options, parameters, from]);
        return { result: { result: true }, transaction: transaction("TriggerSmartContract") };
      },
    },
  };
  const connect = current ? "eth_requestAccounts" : "tron_requestAccounts";
  wallet.provider = {
    tronWeb,
    async request({ method }) {
      const answer = await wallet.ask(method);
      if (method !== connect) says({ code: 4200, message: "Unsupported method" });
      if (answer) return answer;
      tronWeb.defaultAddress.base58 = account;
      return current ? [account] : { code: 200, message: "User allowed the request." };
    },
  };
  if (current) wallet.provider.on = () => {};
  return wallet;
}

/** Announces a wallet, now and whenever it is asked to (EIP-6963, TIP-6963). Ends when called. */
function announce(standard, info, { provider }) {
  const detail = Object.freeze({ info: Object.freeze(info), provider });
  const tell = () => dispatchEvent(new CustomEvent(`${standard}:announceProvider`, { detail }));
  addEventListener(`${standard}:requestProvider`, tell);
  tell();
  return () => removeEventListener(`${standard}:requestProvider`, tell);
}
