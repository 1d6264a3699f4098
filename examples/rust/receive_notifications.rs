//! Receives notifications.

use std::env;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use sqlx::PgPool;
use standardwebhooks::Webhook;
use tokio::net::TcpListener;

struct Shop {
    webhook: Webhook,
    database: PgPool,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shop = Shop {
        webhook: Webhook::new(&env::var("NOTIFY_SECRET")?)?,
        database: PgPool::connect(&env::var("DATABASE_URL")?).await?,
    };
    let routes = Router::new()
        .route("/notifications", post(notification))
        .layer(DefaultBodyLimit::max(64 * 1024))
        .with_state(Arc::new(shop));
    let listener = TcpListener::bind(("127.0.0.1", env::var("PORT")?.parse()?)).await?;
    Ok(axum::serve(listener, routes).await?)
}

async fn notification(
    State(shop): State<Arc<Shop>>,
    headers: HeaderMap,
    body: String,
) -> Result<StatusCode, StatusCode> {
    let verified = shop.webhook.verify(body.as_bytes(), &headers);
    verified.map_err(|_| StatusCode::BAD_REQUEST)?;
    let id = headers.get("webhook-id").and_then(|id| id.to_str().ok());
    sqlx::query("SELECT receive_notification($1, $2::jsonb)")
        .bind(id)
        .bind(body)
        .execute(&shop.database)
        .await
        .map_err(|error| {
            eprintln!("{error}");
            StatusCode::INTERNAL_SERVER_ERROR
        })?;
    Ok(StatusCode::NO_CONTENT)
}
