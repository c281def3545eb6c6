import { Gauge, KeyRound, RefreshCw, Webhook } from "lucide-preact"
import { type View, view } from "../view.ts"

export const developers: readonly View[] = [
  {
    path: "/keys",
    access: "admin",
    nav: { group: "settings", label: "nav.keys", icon: KeyRound, section: "nav.section.developers" },
    component: view("developers", () => import("./api-keys.tsx")),
  },
  {
    path: "/webhooks",
    access: "admin",
    nav: { group: "settings", label: "nav.webhooks", icon: Webhook, within: "/keys" },
    component: view("developers", () => import("./webhooks.tsx")),
  },
  { path: "/webhooks/:id", access: "admin", component: view("developers", () => import("./webhook.tsx")) },
  {
    path: "/scim",
    access: "admin",
    nav: { group: "settings", label: "nav.scim", icon: RefreshCw, within: "/keys" },
    component: view("developers", () => import("./scim.tsx")),
  },
  {
    path: "/usage",
    access: "group_admin",
    nav: { group: "settings", label: "nav.usage", icon: Gauge, within: "/keys" },
    component: view("developers", () => import("./usage.tsx")),
  },
]
