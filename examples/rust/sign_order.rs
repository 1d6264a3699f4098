//! Signs an order that is valid for one hour.

use jsonwebtoken::{EncodingKey, Header, encode, get_current_timestamp};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let claims = serde_json::json!({
        "token": "usdtt",
        "quantity": "25.00",
        "invoiceNumber": "INV-1042",
        "exp": get_current_timestamp() + 3600, // in seconds
    });
    let order_key = std::env::var("ORDER_KEY")?;
    let (kid, secret) = order_key
        .split_once('=')
        .ok_or("ORDER_KEY is not KID=SECRET")?;
    let header = Header {
        kid: Some(kid.to_owned()),
        ..Header::default()
    };
    let key = EncodingKey::from_secret(secret.as_bytes());
    println!("{}", encode(&header, &claims, &key)?);
    Ok(())
}
