"""An example shop: docs/shops.md says how to run it."""

import base64
import os
import re
import sys
import time
import uuid
from typing import Annotated

import jwt
import psycopg
from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse
from form import checkout_template
from jinja2 import Environment
from standardwebhooks import Webhook, WebhookVerificationError

PRICE = "48.50"


def setting(name):
    return os.environ.get(name) or sys.exit(f"set {name}")


def origin(name):
    """Paths are appended to it."""
    if not re.fullmatch("https?://[^/]+", setting(name)):
        sys.exit(f"set {name} to an origin such as https://shop.example")
    return setting(name)


ORIGIN, PROXY = map(origin, ("ORIGIN", "PROXY"))
LOGOS, DATABASE_URL = map(setting, ("LOGOS", "DATABASE_URL"))

app = FastAPI(openapi_url=None)
pages = Environment(autoescape=True)


def query(statement, values):
    with psycopg.connect(DATABASE_URL) as database:
        cursor = database.execute(statement, values)
        return cursor.fetchone() if cursor.description else None


@app.middleware("http")
async def set_headers(request: Request, call_next):
    request.state.nonce = uuid.uuid4().hex
    response = await call_next(request)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; script-src {PROXY} 'wasm-unsafe-eval'; connect-src {PROXY}; img-src {LOGOS}; "
        f"style-src 'nonce-{request.state.nonce}'; form-action {PROXY}; base-uri 'none'; frame-ancestors 'none'"
    )
    return response


# ANCHOR: order
order_key = re.fullmatch("([^=]+)=(.{32,})", os.environ.get("ORDER_KEY", ""))
if order_key is None:
    sys.exit("set ORDER_KEY to KID=SECRET, the same text as the proxy's order_key; SECRET has at least 32 characters")
KID, SECRET = order_key.groups()


def sign(invoice):
    claims = {
        "token": "usdtt",
        "quantity": PRICE,
        "invoiceNumber": invoice,
        "returnUrl": f"{ORIGIN}/orders/{invoice}",
        "exp": int(time.time()) + 3600,
    }
    return jwt.encode(claims, SECRET, algorithm="HS256", headers={"kid": KID})
# ANCHOR_END: order


CHECKOUT = pages.from_string("""<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width">
  <title>Checkout</title>
  <h1>One mug, {{ price }} USDT</h1>
  <tender-checkout proxy="{{ proxy }}" order="{{ order }}">
    {{ template | safe }}
    <a href="{{ proxy }}/pay?order={{ order }}">Pay without JavaScript</a>
  </tender-checkout>
  <script src="{{ proxy }}/v1/checkout.js" async></script>
  <p><a href="/orders/{{ invoice }}">Your order</a></p>
</html>
""")

ORDER = pages.from_string("""<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width">
  <title>Order {{ invoice }}</title>
  <h1>{% if is_paid %}Paid{% else %}Waiting for payment{% endif %}</h1>
  <p>Order {{ invoice }}</p>
</html>
""")


# A real shop creates the order from the buyer's basket.
@app.get("/", response_class=HTMLResponse)
def checkout(request: Request):
    invoice = f"INV-{uuid.uuid4()}"
    query(
        "INSERT INTO orders (invoice_number, token, quantity, valid_until) VALUES (%s, %s, %s, now() + interval '1 hour')",
        (invoice, "usdtt", PRICE),
    )
    order = sign(invoice)
    fields = {"token": "usdtt", "quantity": PRICE, "locale": "en"}
    template = checkout_template(PROXY, order, fields, request.state.nonce)
    return CHECKOUT.render(proxy=PROXY, price=PRICE, invoice=invoice, order=order, template=template)


@app.get("/orders/{invoice}")
def order_page(invoice: str):
    if not re.fullmatch(r"[\w-]+", invoice, re.ASCII):  # PostgreSQL refuses some texts, such as NUL.
        raise HTTPException(404)
    row = query("SELECT paid_by FROM orders WHERE invoice_number = %s", (invoice,))
    if row is None:
        raise HTTPException(404)
    is_paid = row[0] is not None
    headers = {} if is_paid else {"Refresh": "3"}
    return HTMLResponse(ORDER.render(invoice=invoice, is_paid=is_paid), headers=headers)


# ANCHOR: notifications
def notify_secret():
    secret = os.environ.get("NOTIFY_SECRET", "")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    # Anyone can sign with an empty key.
    if secret != f"whsec_{base64.b64encode(key).decode()}" or not 24 <= len(key) <= 64:
        sys.exit("set NOTIFY_SECRET to the proxy's notify_secret: whsec_ and 24 to 64 bytes in base64")
    return secret


webhook = Webhook(notify_secret())
LIMIT = 64 * 1024
ALLOW_TEST_MODE = os.environ.get("ALLOW_TEST_MODE") == "true"


def refused(status, reason):
    print(f"notification refused: {reason}", file=sys.stderr)
    return HTTPException(status, reason)


async def verified_body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LIMIT:
            raise refused(413, "the body is longer than 64 KiB")
    try:
        webhook.verify(body, request.headers, json_parse=False)
    except (WebhookVerificationError, ValueError) as error:  # ValueError: a signature without version, or not Base64
        raise refused(401, str(error)) from None
    return body


@app.post("/notifications", status_code=204)
def notifications(request: Request, body: Annotated[bytes, Depends(verified_body)]):
    event = (request.headers["webhook-id"], body.decode(), ALLOW_TEST_MODE)
    (question,) = query("SELECT receive_notification(%s, %s, %s)", event)
    if question:
        print(f"notification {event[0]} needs a person: {question}", file=sys.stderr)
# ANCHOR_END: notifications
