// WalletConnect's provider in a shop's page, and a wallet at its other end whose account is signed for by a node. Both are
// WalletConnect's own code. Only the relay between them is replaced: by the page's `WebSocket`. Runs before that code.
((node, chain) => {
  // The connections of the two ends, and the messages that the other end has not subscribed to yet.
  const sockets = [];
  let waiting = [];
  let messages = 0;

  class Relay {
    readyState = 1;
    #topics = new Set();

    constructor() {
      sockets.push(this);
      setTimeout(() => this.onopen());
    }

    close() {}

    /** Answers a request of the relay's protocol. What is no request is the acknowledgement of a message. */
    send(text) {
      const { id, method, params } = JSON.parse(text);
      if (method) this.#receive({ id, result: this[method](params) ?? true });
    }

    #receive(content) {
      const data = JSON.stringify({ jsonrpc: "2.0", ...content });
      setTimeout(() => this.onmessage({ data }));
    }

    #deliver() {
      const isMine = ({ from, topic }) => from !== this && this.#topics.has(topic);
      for (const { id, topic, message } of waiting.filter(isMine)) {
        const data = { topic, message, publishedAt: Date.now() };
        this.#receive({ id, method: "irn_subscription", params: { id: topic, data } });
      }
      waiting = waiting.filter((message) => !isMine(message));
    }

    irn_subscribe({ topic }) {
      this.#topics.add(topic);
      this.#deliver();
    }

    irn_publish({ topic, message }) {
      messages += 1;
      waiting.push({ id: messages, from: this, topic, message });
      for (const socket of sockets) socket.#deliver();
    }

    irn_unsubscribe({ topic }) {
      this.#topics.delete(topic);
    }

    wc_proposeSession({ pairingTopic, sessionProposal }) {
      this.irn_publish({ topic: pairingTopic, message: sessionProposal });
      this.irn_subscribe({ topic: pairingTopic });
    }

    wc_approveSession({ pairingTopic, sessionProposalResponse, sessionTopic, sessionSettlementRequest }) {
      this.irn_publish({ topic: pairingTopic, message: sessionProposalResponse });
      this.irn_publish({ topic: sessionTopic, message: sessionSettlementRequest });
      this.irn_subscribe({ topic: sessionTopic });
    }
  }

  window.WebSocket = Relay;
  // WalletConnect's switch for tests: no other server is asked who the page is.
  window.global = window;
  window.process = { env: { IS_VITEST: "true" } };

  const ask = async (method, params = []) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(node, { method: "POST", headers, body });
    return answer.json();
  };

  const options = (name) => ({
    name,
    projectId: "0".repeat(32),
    customStoragePrefix: name,
    telemetryEnabled: false,
    metadata: { name, description: name, url: location.origin, icons: [] },
  });

  // `asked` are the methods that reached the wallet. While it has a `rejection`, it answers with that error.
  const wallet = { asked: [], rejection: null };

  /** Connects the provider with the wallet, and gives it to the checkout, as docs/embedding.md says. */
  wallet.connect = async () => {
    const { UniversalProvider } = window["@walletconnect/universal-provider"];
    const provider = await UniversalProvider.init(options("shop"));
    const client = await provider.client.constructor.init(options("wallet"));
    const { result: [account] } = await ask("eth_accounts");
    const caip = `eip155:${chain}`;
    const methods = ["eth_sendTransaction"];
    client.on("session_proposal", ({ id }) => {
      const accounts = [`${caip}:${account}`];
      client.approve({ id, namespaces: { eip155: { accounts, methods, events: [], chains: [caip] } } });
    });
    client.on("session_request", async ({ topic, id, params: { request } }) => {
      wallet.asked.push(request.method);
      const { rejection: error } = wallet;
      const answer = error ? { error } : await ask(request.method, request.params);
      await client.respond({ topic, response: { ...answer, jsonrpc: "2.0", id } });
    });
    provider.on("display_uri", (uri) => client.pair({ uri }));
    const rpcMap = { [caip]: node };
    await provider.connect({ optionalNamespaces: { eip155: { methods, events: [], chains: [caip], rpcMap } } });
    document.querySelector("tender-checkout").provider = { info: { name: "WalletConnect" }, provider };
    return provider.request({ method: "eth_chainId" });
  };
  window.wallet = wallet;
})
