//go:build ignore

// Asks the proxy about each pending order, and pays what is paid. Run it every hour: docs/fulfilment.md.
package main

import (
	"database/sql"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/lib/pq"
)

var client = http.Client{Timeout: 30 * time.Second}

func main() {
	database, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	check(err)
	var invoices []string
	row := database.QueryRow("SELECT array(SELECT invoice_number FROM pending_orders)")
	check(row.Scan(pq.Array(&invoices)))
	for _, invoice := range invoices {
		var questions []string
		statement := "SELECT array(SELECT reconcile($1, $2::jsonb, $3))"
		row := database.QueryRow(statement, invoice, ask(invoice), os.Getenv("ALLOW_TEST_MODE") == "true")
		check(row.Scan(pq.Array(&questions)))
		for _, question := range questions {
			log.Printf("order %s needs a person: %s", invoice, question)
		}
	}
}

// What the proxy knows of an order.
func ask(invoice string) string {
	address := os.Getenv("PROXY") + "/api/v1/orders?" + url.Values{"invoiceNumber": {invoice}}.Encode()
	request, err := http.NewRequest(http.MethodGet, address, nil)
	check(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MERCHANT_KEY"))
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s: the proxy answers %s", invoice, response.Status)
	}
	return string(answer)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
