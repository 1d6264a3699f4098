import { bootstrapApplication } from "@angular/platform-browser";
import { Checkout } from "./checkout";

bootstrapApplication(Checkout).catch(console.error);
