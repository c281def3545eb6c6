import { Receipt, RefreshCcw, ShoppingCart } from "lucide-preact"
import { type View, view } from "../view.ts"

export const billing: readonly View[] = [
  {
    path: "/orders",
    access: "admin",
    nav: { group: "people", label: "nav.orders", icon: Receipt, section: "nav.section.billing" },
    component: view("billing", () => import("./orders.tsx")),
  },
  {
    path: "/subscriptions",
    access: "admin",
    nav: { group: "people", label: "nav.subscriptions", icon: RefreshCcw, within: "/orders" },
    component: view("billing", () => import("./subscriptions.tsx")),
  },
  {
    path: "/carts",
    access: "admin",
    nav: { group: "people", label: "nav.carts", icon: ShoppingCart, within: "/orders" },
    component: view("billing", () => import("./carts.tsx")),
  },
]
