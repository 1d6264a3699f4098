import { CUSTOM_ELEMENTS_SCHEMA, Component, computed, signal } from "@angular/core";
import { loadTender, type TenderEventMap } from "tender-checkout";

@Component({
  selector: "shop-checkout",
  // Angular doesn't know the element: it checks neither its properties nor its events.
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <button (click)="locale.set('de')">Deutsch</button>
      <output>{{ news() }}</output>
      @if (order(); as order) {
        <tender-checkout
          [proxy]="order.proxy"
          [order]="order.order"
          [locale]="locale()"
          (tender-created)="created($event)"
          (tender-pending)="pending($event)"
          (tender-paid)="paid($event)"
        >
          <a [href]="fallback()">Pay without JavaScript</a>
        </tender-checkout>
      }
    </main>
  `,
})
export class Checkout {
  protected readonly order = signal<{ proxy: string; order: string } | undefined>(undefined);
  protected readonly locale = signal("en");
  protected readonly news = signal("No payment yet");
  protected readonly fallback = computed(() => `${this.order()?.proxy}/pay?order=${this.order()?.order}`);

  constructor() {
    this.load().catch((error: Error) => this.news.set(error.message));
  }

  private async load() {
    const order = await (await fetch("/order")).json();
    this.order.set(order);
    await loadTender({ src: `${order.proxy}/v1/checkout.js` });
  }

  protected created({ detail }: TenderEventMap["tender-created"]) {
    this.news.set(`Created: ${detail.payment.transactionId}`);
  }

  protected pending({ detail }: TenderEventMap["tender-pending"]) {
    this.news.set(`Pending: ${detail.payment.transactionId}`);
  }

  protected paid({ detail }: TenderEventMap["tender-paid"]) {
    this.news.set(`Paid: ${detail.payment.transactionId}`);
  }
}
