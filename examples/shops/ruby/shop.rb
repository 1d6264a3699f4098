# frozen_string_literal: true

# An example shop: docs/shops.md says how to run it.
require 'jwt'
require 'openssl'
require 'pg'
require 'securerandom'
require 'sinatra'
require_relative 'form'

SETTINGS = %w[PORT ORIGIN PROXY LOGOS NOTIFY_SECRET DATABASE_URL].to_h { |name| [name, ENV[name].to_s] }
# Anyone can sign with an empty secret.
SETTINGS.each { |name, value| abort "set #{name}" if value.empty? }
# Paths are appended to them.
%w[ORIGIN PROXY].each do |name|
  abort "set #{name} to an origin such as https://shop.example" unless SETTINGS[name].match?(%r{\Ahttps?://[^/]+\z})
end
PROXY = SETTINGS['PROXY']
PRICE = '48.50'

set :bind, '127.0.0.1'
set :port, SETTINGS['PORT']
set :show_exceptions, false
set :erb, escape_html: true

def query(statement, *values)
  database = PG.connect(SETTINGS['DATABASE_URL'])
  database.exec_params(statement, values).to_a
ensure
  database&.close
end

before do
  # Sinatra would answer as to GET, and create an order.
  halt 405 if request.head?
  @nonce = SecureRandom.uuid
  headers 'Cache-Control' => 'no-store',
          'Content-Security-Policy' =>
            "default-src 'none'; script-src #{PROXY} 'wasm-unsafe-eval'; connect-src #{PROXY}; " \
            "img-src #{SETTINGS['LOGOS']}; style-src 'nonce-#{@nonce}'; form-action #{PROXY}; " \
            "base-uri 'none'; frame-ancestors 'none'"
end

# ANCHOR: order
_, KID, SECRET = *ENV['ORDER_KEY'].to_s.match(/\A([^=]+)=(.{32,})\z/)
unless SECRET
  abort "set ORDER_KEY to KID=SECRET, the same text as the proxy's order_key; SECRET has at least 32 characters"
end

def sign(invoice)
  claims = {
    token: 'usdtt', quantity: PRICE, invoiceNumber: invoice, returnUrl: "#{SETTINGS['ORIGIN']}/orders/#{invoice}",
    exp: Time.now.to_i + 3600
  }
  JWT.encode(claims, SECRET, 'HS256', { kid: KID })
end
# ANCHOR_END: order

# A real shop creates the order from the buyer's basket.
get '/' do
  @invoice = "INV-#{SecureRandom.uuid}"
  query(
    "INSERT INTO orders (invoice_number, token, quantity, valid_until) VALUES ($1, $2, $3, now() + interval '1 hour')",
    @invoice, 'usdtt', PRICE
  )
  @order = sign(@invoice)
  fields = { token: 'usdtt', quantity: PRICE, locale: 'en' }
  @template = checkout_template(PROXY, @order, fields, @nonce)
  erb :checkout
end

# Without texts that PostgreSQL refuses, such as NUL.
get %r{/orders/([\w-]+)} do |invoice|
  rows = query('SELECT paid_by FROM orders WHERE invoice_number = $1', invoice)
  halt 404 if rows.empty?
  @invoice = invoice
  @is_paid = !rows.first['paid_by'].nil?
  headers 'Refresh' => '3' unless @is_paid
  erb :order
end

# ANCHOR: notifications
LIMIT = 64 * 1024
NOTIFY_KEY = SETTINGS['NOTIFY_SECRET'].delete_prefix('whsec_').unpack1('m')
# Anyone can sign with an empty key.
unless SETTINGS['NOTIFY_SECRET'] == "whsec_#{[NOTIFY_KEY].pack('m0')}" && NOTIFY_KEY.bytesize.between?(24, 64)
  abort "set NOTIFY_SECRET to the proxy's notify_secret: whsec_ and 24 to 64 bytes in base64"
end

# Why it is not signed as Standard Webhooks specifies (https://www.standardwebhooks.com); nil if it is.
def refusal(body, id, time, signatures)
  return 'the timestamp is missing, or more than five minutes off' if (Time.now.to_i - time.to_i).abs > 300

  mac = OpenSSL::HMAC.digest('SHA256', NOTIFY_KEY, "#{id}.#{time}.#{body}")
  expected = "v1,#{[mac].pack('m0')}"
  'no signature matches' if signatures.split.none? { |signature| Rack::Utils.secure_compare(signature, expected) }
end

def refuse(status, reason)
  warn "notification refused: #{reason}"
  halt status, reason
end

post '/notifications' do
  body = request.body.read(LIMIT + 1).to_s
  refuse 413, 'the body is longer than 64 KiB' if body.bytesize > LIMIT
  id, time, signatures = %w[ID TIMESTAMP SIGNATURE].map { |name| request.env["HTTP_WEBHOOK_#{name}"].to_s }
  reason = refusal(body, id, time, signatures)
  refuse 401, reason if reason
  allow_test_mode = ENV['ALLOW_TEST_MODE'] == 'true'
  asked = query('SELECT receive_notification($1, $2, $3) AS question', id, body, allow_test_mode).first['question']
  warn "notification #{id} needs a person: #{asked}" if asked
  204
end
# ANCHOR_END: notifications

__END__

@@checkout
<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width">
  <title>Checkout</title>
  <h1>One mug, <%= PRICE %> USDT</h1>
  <tender-checkout proxy="<%= PROXY %>" order="<%= @order %>">
    <%== @template %>
    <a href="<%= PROXY %>/pay?order=<%= @order %>">Pay without JavaScript</a>
  </tender-checkout>
  <script src="<%= PROXY %>/v1/checkout.js" async></script>
  <p><a href="/orders/<%= @invoice %>">Your order</a></p>
</html>

@@order
<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width">
  <title>Order <%= @invoice %></title>
  <h1><%= @is_paid ? "Paid" : "Waiting for payment" %></h1>
  <p>Order <%= @invoice %></p>
</html>
