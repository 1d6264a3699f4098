//go:build ignore

// Asks the proxy about each pending order, and pays what is paid. Run it every hour: docs/fulfilment.md.
package main

import (
	"database/sql"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/lib/pq"
)

var client = http.Client{
	Timeout: 30 * time.Second,
	// No redirect is followed: the key is for the proxy only.
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func main() {
	database, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	var invoices []string
	row := database.QueryRow("SELECT array(SELECT invoice_number FROM pending_orders)")
	if err := row.Scan(pq.Array(&invoices)); err != nil {
		log.Fatal(err)
	}
	failed := false
	for _, invoice := range invoices {
		if err := reconcile(database, invoice); err != nil {
			// The next orders are asked about all the same.
			log.Printf("order %s: %s", invoice, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

func reconcile(database *sql.DB, invoice string) error {
	answer, err := ask(invoice)
	if err != nil {
		return err
	}
	var questions []string
	row := database.QueryRow("SELECT array(SELECT reconcile($1, $2, $3))", invoice, answer, os.Getenv("ALLOW_TEST_MODE") == "true")
	if err := row.Scan(pq.Array(&questions)); err != nil {
		return err
	}
	for _, question := range questions {
		log.Printf("order %s needs a person: %s", invoice, question)
	}
	return nil
}

// What the proxy knows of an order.
func ask(invoice string) (string, error) {
	address := os.Getenv("PROXY") + "/api/v1/orders?" + url.Values{"invoiceNumber": {invoice}}.Encode()
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MERCHANT_KEY"))
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the proxy answers %s", response.Status)
	}
	answer, err := io.ReadAll(response.Body)
	return string(answer), err
}
