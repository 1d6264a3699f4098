"""Asks the proxy about each pending order, and pays what is paid. Run it every hour: docs/fulfilment.md."""

import os
import sys
from http.client import HTTPException
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

import psycopg

PROXY, MERCHANT_KEY = os.environ["PROXY"], os.environ["MERCHANT_KEY"]
ALLOW_TEST_MODE = os.environ.get("ALLOW_TEST_MODE") == "true"


class NoRedirect(HTTPRedirectHandler):
    """The key is for the proxy only."""

    def redirect_request(self, *_):
        return None


proxy = build_opener(NoRedirect)


def reconcile(database, invoice):
    address = f"{PROXY}/api/v1/orders?{urlencode({'invoiceNumber': invoice})}"
    request = Request(address, headers={"Authorization": f"Bearer {MERCHANT_KEY}"})
    with proxy.open(request, timeout=30) as response:
        answer = (invoice, response.read().decode(), ALLOW_TEST_MODE)
    for (question,) in database.execute("SELECT reconcile(%s, %s, %s)", answer):
        print(f"order {invoice} needs a person: {question}", file=sys.stderr)


failed = False
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as database:
    for (invoice,) in database.execute("SELECT invoice_number FROM pending_orders").fetchall():
        try:
            reconcile(database, invoice)
        except (OSError, HTTPException, ValueError, psycopg.Error) as error:
            # The next orders are asked about all the same.
            print(f"order {invoice}: {error}", file=sys.stderr)
            failed = True
sys.exit(failed)
