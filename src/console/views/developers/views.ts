import { type View, view } from "../view.ts"

export const developers: readonly View[] = [
  {
    path: "/keys",
    access: "admin",
    nav: { group: "developers", label: "nav.keys" },
    component: view("developers", () => import("./api-keys.tsx")),
  },
  {
    path: "/webhooks",
    access: "admin",
    nav: { group: "developers", label: "nav.webhooks" },
    component: view("developers", () => import("./webhooks.tsx")),
  },
  { path: "/webhooks/:id", access: "admin", component: view("developers", () => import("./webhook.tsx")) },
  {
    path: "/usage",
    access: "group_admin",
    nav: { group: "developers", label: "nav.usage" },
    component: view("developers", () => import("./usage.tsx")),
  },
]
