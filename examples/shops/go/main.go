// An example shop: docs/shops.md says how to run it.
package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v4"
	_ "github.com/lib/pq"
)

const price = "48.50"

var (
	origin, proxy = originSetting("ORIGIN"), originSetting("PROXY")
	logos         = setting("LOGOS")
	allowTestMode = os.Getenv("ALLOW_TEST_MODE") == "true"
	originPattern = regexp.MustCompile(`^https?://[^/]+$`)
)

// Anyone can sign with an empty secret.
func setting(name string) string {
	value := os.Getenv(name)
	if value == "" {
		log.Fatalf("set %s", name)
	}
	return value
}

// Paths are appended to it.
func originSetting(name string) string {
	value := setting(name)
	if !originPattern.MatchString(value) {
		log.Fatalf("set %s to an origin such as https://shop.example", name)
	}
	return value
}

type shop struct {
	database  *sql.DB
	notifyKey []byte
}

// ANCHOR: order
var kid, secret = orderKey()

func orderKey() (string, []byte) {
	kid, secret, _ := strings.Cut(os.Getenv("ORDER_KEY"), "=")
	if kid == "" || len(secret) < 32 {
		log.Fatal("set ORDER_KEY to KID=SECRET, the same text as the proxy's order_key; SECRET has at least 32 characters")
	}
	return kid, []byte(secret)
}

func sign(invoice string) (string, error) {
	order := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"token": "usdtt", "quantity": price, "invoiceNumber": invoice,
		"returnUrl": origin + "/orders/" + invoice, "exp": time.Now().Add(time.Hour).Unix(),
	})
	order.Header["kid"] = kid
	return order.SignedString(secret)
}

// ANCHOR_END: order

var checkoutPage = template.Must(template.New("checkout").Parse(`<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width">
  <title>Checkout</title>
  <h1>One mug, {{.Price}} USDT</h1>
  <tender-checkout proxy="{{.Proxy}}" order="{{.Order}}">
    {{.Template}}
    <a href="{{.Proxy}}/pay?order={{.Order}}">Pay without JavaScript</a>
  </tender-checkout>
  <script src="{{.Proxy}}/v1/checkout.js" async></script>
  <p><a href="/orders/{{.Invoice}}">Your order</a></p>
</html>
`))

var orderPage = template.Must(template.New("order").Parse(`<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width">
  <title>Order {{.Invoice}}</title>
  <h1>{{if .IsPaid}}Paid{{else}}Waiting for payment{{end}}</h1>
  <p>Order {{.Invoice}}</p>
</html>
`))

// For invoice numbers and nonces. Without random numbers, the program ends.
func random() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return fmt.Sprintf("%x", bytes)
}

// A real shop creates the order from the buyer's basket.
func (shop shop) checkout(response http.ResponseWriter, request *http.Request) error {
	if request.URL.Path != "/" {
		http.NotFound(response, request)
		return nil
	}
	invoice := "INV-" + random()
	statement := "INSERT INTO orders (invoice_number, token, quantity, valid_until) " +
		"VALUES ($1, $2, $3, now() + interval '1 hour')"
	if _, err := shop.database.Exec(statement, invoice, "usdtt", price); err != nil {
		return err
	}
	order, err := sign(invoice)
	if err != nil {
		return err
	}
	nonce := random()
	setPolicy(response, "'nonce-"+nonce+"'")
	fields := url.Values{"token": {"usdtt"}, "quantity": {price}, "locale": {"en"}}
	return checkoutPage.Execute(response, struct {
		Proxy, Price, Invoice, Order string
		Template                     template.HTML
	}{proxy, price, invoice, order, checkoutTemplate(proxy, order, fields, nonce)})
}

// Without texts that PostgreSQL refuses, such as NUL.
var invoicePattern = regexp.MustCompile(`^[\w-]+$`)

func (shop shop) order(response http.ResponseWriter, request *http.Request) error {
	invoice := strings.TrimPrefix(request.URL.Path, "/orders/")
	if !invoicePattern.MatchString(invoice) {
		http.NotFound(response, request)
		return nil
	}
	var paidBy sql.NullString
	row := shop.database.QueryRow("SELECT paid_by FROM orders WHERE invoice_number = $1", invoice)
	if err := row.Scan(&paidBy); errors.Is(err, sql.ErrNoRows) {
		http.NotFound(response, request)
		return nil
	} else if err != nil {
		return err
	}
	if !paidBy.Valid {
		response.Header().Set("Refresh", "3")
	}
	return orderPage.Execute(response, struct {
		Invoice string
		IsPaid  bool
	}{invoice, paidBy.Valid})
}

// ANCHOR: notifications

// Anyone can sign with an empty key.
func notifyKey() []byte {
	secret := os.Getenv("NOTIFY_SECRET")
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	isSecret := err == nil && secret == "whsec_"+base64.StdEncoding.EncodeToString(key)
	if !isSecret || len(key) < 24 || len(key) > 64 {
		log.Fatal("set NOTIFY_SECRET to the proxy's notify_secret: whsec_ and 24 to 64 bytes in base64")
	}
	return key
}

// Why a notification is not signed as Standard Webhooks specifies (https://www.standardwebhooks.com); nil if it is.
func (shop shop) verify(body []byte, headers http.Header) error {
	id, seconds := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	sent, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return errors.New("the timestamp is missing, or more than five minutes off")
	}
	mac := hmac.New(sha256.New, shop.notifyKey)
	fmt.Fprintf(mac, "%s.%s.%s", id, seconds, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(headers.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return nil
		}
	}
	return errors.New("no signature matches")
}

func (shop shop) notification(response http.ResponseWriter, request *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 64<<10))
	status := http.StatusRequestEntityTooLarge
	if err == nil {
		status = http.StatusUnauthorized
		err = shop.verify(body, request.Header)
	}
	if err != nil {
		log.Printf("notification refused: %s", err)
		http.Error(response, err.Error(), status)
		return nil
	}
	id := request.Header.Get("webhook-id")
	var question sql.NullString
	row := shop.database.QueryRow("SELECT receive_notification($1, $2, $3)", id, string(body), allowTestMode)
	if err := row.Scan(&question); err != nil {
		return err
	}
	if question.Valid {
		log.Printf("notification %s needs a person: %s", id, question.String)
	}
	response.WriteHeader(http.StatusNoContent)
	return nil
}

// ANCHOR_END: notifications

func setPolicy(response http.ResponseWriter, styles string) {
	policy := "default-src 'none'; script-src %[1]s 'wasm-unsafe-eval'; connect-src %[1]s; img-src %[2]s; " +
		"style-src %[3]s; form-action %[1]s; base-uri 'none'; frame-ancestors 'none'"
	response.Header().Set("Content-Security-Policy", fmt.Sprintf(policy, proxy, logos, styles))
}

// Sets the headers of all responses, and turns an error into one.
func handle(method string, route func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		response.Header().Set("Cache-Control", "no-store")
		setPolicy(response, "'none'")
		if request.Method != method {
			response.WriteHeader(http.StatusMethodNotAllowed)
		} else if err := route(response, request); err != nil {
			log.Print(err)
			response.WriteHeader(http.StatusInternalServerError)
		}
	}
}

func main() {
	database, err := sql.Open("postgres", setting("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	shop := shop{database, notifyKey()}
	http.HandleFunc("/", handle(http.MethodGet, shop.checkout))
	http.HandleFunc("/orders/", handle(http.MethodGet, shop.order))
	http.HandleFunc("/notifications", handle(http.MethodPost, shop.notification))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+setting("PORT"), nil))
}
