<?php
// Asks the proxy about each pending order, and pays what is paid. Run it every hour: docs/fulfilment.md.
declare(strict_types=1);

function setting(string $name): string
{
    return getenv($name) ?: throw new RuntimeException("set $name");
}

$database = pg_connect(setting('DATABASE_URL')) ?: throw new RuntimeException('no database');
// No redirect is followed: the key is for the proxy only.
$options = ['header' => 'Authorization: Bearer ' . setting('MERCHANT_KEY'), 'follow_location' => 0, 'timeout' => 30];
$context = stream_context_create(['http' => $options]);
$proxy = setting('PROXY');
$allow_test_mode = getenv('ALLOW_TEST_MODE') === 'true' ? 'true' : 'false';
$failed = false;
foreach (pg_fetch_all_columns(pg_query($database, 'SELECT invoice_number FROM pending_orders')) as $invoice) {
    $address = "$proxy/api/v1/orders?" . http_build_query(['invoiceNumber' => $invoice]);
    $http_response_header = [];
    $answer = @file_get_contents($address, context: $context);
    $status = $http_response_header[0] ?? 'nothing';
    $is_ok = $answer !== false && preg_match('#^HTTP/\S+ 200\b#', $status);
    $values = [$invoice, $answer, $allow_test_mode];
    $questions = $is_ok ? @pg_query_params($database, 'SELECT reconcile($1, $2, $3)', $values) : false;
    if ($questions === false) {
        // The next orders are asked about all the same.
        error_log("order $invoice: " . ($is_ok ? pg_last_error($database) : "the proxy answers $status"));
        $failed = true;
        continue;
    }
    foreach (pg_fetch_all_columns($questions) as $question) {
        error_log("order $invoice needs a person: $question");
    }
}
exit((int) $failed);
