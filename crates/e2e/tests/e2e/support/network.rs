//! Faults of the network, and of the page's life cycle.

use serde_json::json;

use super::browser::Browser;

impl Browser {
    /// Blocks requests to these addresses; `*` matches anything.
    pub(crate) async fn block(&self, addresses: &[&str]) {
        self.send("Network.enable", json!({})).await;
        // A cached file needs no request.
        let cache = json!({ "cacheDisabled": !addresses.is_empty() });
        self.send("Network.setCacheDisabled", cache).await;
        let blocked = json!({ "urls": addresses });
        self.send("Network.setBlockedURLs", blocked).await;
    }

    /// Holds requests to this address until the network is reset.
    pub(crate) async fn hold(&self, address: &str) {
        let patterns = json!({ "patterns": [{ "urlPattern": address }] });
        self.send("Fetch.enable", patterns).await;
    }

    /// Continues every request.
    pub(crate) async fn clear_network(&self) {
        self.send("Fetch.disable", json!({})).await;
        self.block(&[]).await;
    }

    /// Leaves the page, and resets the network. Held requests are dropped, because they would otherwise reach the next
    /// test's page.
    pub(crate) async fn leave(&self) {
        let connected = async |is_connected: bool| {
            let conditions = json!({
                "offline": !is_connected, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
            });
            self.send("Network.emulateNetworkConditions", conditions)
                .await;
        };
        self.block(&[]).await;
        connected(false).await;
        self.go("about:blank").await;
        self.clear_network().await;
        self.go("about:blank").await;
        connected(true).await;
    }

    /// Does something while the page is hidden and frozen, as when the user is in another app: nothing runs in it, and no
    /// response arrives.
    pub(crate) async fn while_frozen(&self, act: impl FnOnce()) {
        let is_hidden = async |is_hidden: bool| {
            let script = "Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });
                document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))";
            let () = self.run(script, [json!(is_hidden)]).await;
        };
        let is_in = async |state: &str| {
            let state = json!({ "state": state });
            self.send("Page.setWebLifecycleState", state).await;
        };
        is_hidden(true).await;
        is_in("frozen").await;
        act();
        is_in("active").await;
        is_hidden(false).await;
    }
}
