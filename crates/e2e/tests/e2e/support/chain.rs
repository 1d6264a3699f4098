//! A local Ethereum node with its own chain.

use serde_json::{Value, json};

use super::program::Program;

/// The line it prints once it listens.
const STARTED: &str = "Listening on ";

/// A node with its own chain. Dropping it stops the node.
pub(crate) struct Chain {
    _program: Program,
    /// The node's address.
    pub(crate) url: String,
    client: reqwest::Client,
}

impl Chain {
    /// Starts a node with this chain id, on a free port.
    pub(crate) fn start(id: u64) -> Self {
        let mut program = Program::start("ANVIL", "anvil", |command| {
            // The block `finalized` is two blocks behind the latest one.
            command.args(["--slots-in-an-epoch", "1"]);
            command.args(["--port", "0", "--chain-id", &id.to_string()]);
        });
        let address = program.find(|line| Some(line.strip_prefix(STARTED)?.to_owned()));
        let address = address.expect("anvil starts");
        Self {
            _program: program,
            url: format!("http://{address}"),
            client: reqwest::Client::new(),
        }
    }

    /// Calls a JSON-RPC method.
    pub(crate) async fn call(&self, method: &str, params: Value) -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let request = self.client.post(&self.url).json(&body);
        let answer: Value = request.send().await.unwrap().json().await.unwrap();
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Includes no transaction in a block until [`mine`](Self::mine).
    pub(crate) async fn stop_mining(&self) {
        self.call("evm_setAutomine", json!([false])).await;
    }

    /// Mines so many blocks that the first of them is final.
    pub(crate) async fn mine(&self) {
        self.call("anvil_mine", json!(["0x4"])).await;
    }

    /// The balance of an address in the chain's native coin, in wei.
    pub(crate) async fn balance(&self, address: &str) -> u128 {
        let balance = self.call("eth_getBalance", json!([address, "latest"]));
        integer(&balance.await)
    }

    /// The account whose transactions the node signs.
    pub(crate) async fn account(&self) -> String {
        let accounts = self.call("eth_accounts", json!([])).await;
        accounts[0].as_str().unwrap().to_owned()
    }

    /// Deploys a token contract at this address, and gives the whole supply to `holder`.
    pub(crate) async fn put_token(&self, contract: &str, holder: &str, units: u128) {
        self.call("anvil_setCode", json!([contract, TOKEN])).await;
        let units = format!("0x{units:064x}");
        let place = json!([contract, word(holder), units]);
        self.call("anvil_setStorageAt", place).await;
    }

    /// The balance of an address in units of a token.
    pub(crate) async fn token_balance(&self, contract: &str, address: &str) -> u128 {
        let data = format!("0x70a08231{}", &word(address)[2..]);
        let call = json!([{ "to": contract, "data": data }, "latest"]);
        integer(&self.call("eth_call", call).await)
    }
}

/// An ERC-20 contract with only `balanceOf` and `transfer`. Like that of USDT on Ethereum, and unlike the standard, its
/// `transfer` returns nothing. The balance of an address is stored at that address.
const TOKEN: &str = concat!(
    "0x",
    // Selects the function by the first four bytes.
    "5f3560e01c",           // 00: PUSH0 CALLDATALOAD 0xe0 SHR
    "8063a9059cbb14602757", // 05: DUP1 transfer(address,uint256) EQ 0x27 JUMPI
    "6370a0823114601c57",   // 0f: balanceOf(address) EQ 0x1c JUMPI
    // Any other function reverts.
    "5b5f5ffd", // 18: JUMPDEST PUSH0 PUSH0 REVERT
    // balanceOf
    "5b600435545f52", // 1c: JUMPDEST 0x04 CALLDATALOAD SLOAD PUSH0 MSTORE
    "60205ff3",       // 23: 0x20 PUSH0 RETURN
    // transfer: requires exactly its two arguments and a sufficient balance.
    "5b3660441415601857", // 27: JUMPDEST CALLDATASIZE 0x44 EQ ISZERO 0x18 JUMPI
    "6024353354818110601857", // 30: 0x24 CALLDATALOAD CALLER SLOAD DUP2 DUP2 LT 0x18 JUMPI
    "8190033355",         // 3b: DUP2 SWAP1 SUB CALLER SSTORE
    "600435805482019055", // 40: 0x04 CALLDATALOAD DUP1 SLOAD DUP3 ADD SWAP1 SSTORE
    "00",                 // 49: STOP
);

fn integer(quantity: &Value) -> u128 {
    let digits = quantity.as_str().unwrap().trim_start_matches("0x");
    let digits = digits.trim_start_matches('0');
    u128::from_str_radix(if digits.is_empty() { "0" } else { digits }, 16).unwrap()
}

/// An address, padded to a 32-byte word.
fn word(address: &str) -> String {
    format!("0x{:0>64}", address.trim_start_matches("0x").to_lowercase())
}
