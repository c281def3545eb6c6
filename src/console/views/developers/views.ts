import { type View, view } from "../view.ts"

const group = "academy"

export const academy: readonly View[] = [
  {
    path: "/exports",
    access: "group_admin",
    nav: { group, label: "nav.exports" },
    component: view("academy", () => import("../exports/exports.tsx")),
  },
  {
    path: "/audit",
    access: "group_admin",
    nav: { group, label: "nav.audit" },
    component: view("academy", () => import("../audit/audit.tsx")),
  },
  {
    path: "/keys",
    access: "admin",
    nav: { group, label: "nav.keys" },
    component: view("academy", () => import("./api-keys.tsx")),
  },
  {
    path: "/webhooks",
    access: "admin",
    nav: { group, label: "nav.webhooks" },
    component: view("academy", () => import("./webhooks.tsx")),
  },
  {
    path: "/webhooks/:id",
    access: "admin",
    component: view("academy", () => import("./webhook.tsx")),
  },
  {
    path: "/sessions",
    access: "general",
    nav: { group, label: "nav.sessions" },
    component: view("academy", () => import("../account/sessions.tsx")),
  },
  {
    path: "/usage",
    access: "group_admin",
    nav: { group, label: "nav.usage" },
    component: view("academy", () => import("./usage.tsx")),
  },
]
