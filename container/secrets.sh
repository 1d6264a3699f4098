#!/bin/sh
# Makes random secrets for compose.yaml, in the folder `secrets` beside it.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "$PWD/secrets exists already; remove it to make new secrets" >&2
  exit 1
fi
# Only this folder's owner can enter it. The files can be read by the user of a container, which has another id.
mkdir -m 0700 secrets
cd secrets
umask 0333

random() {
  head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'
}

database=$(random)
merchant=$(random)
# Hexadecimal digits are also base64.
notify=whsec_$(random)
order=demo=$(random)
echo "$database" > database_password
echo "postgres://tender:$database@database/tender" > database_url
echo "$merchant" > merchant_key
echo "$notify" > notify_secret
echo "$order" > order_key
random > receipt_key
cat > shop.env <<END
TENDER_MERCHANT_KEY=$merchant
TENDER_NOTIFY_SECRET=$notify
TENDER_ORDER_KEY=$order
END
