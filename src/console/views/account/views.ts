import { type View, view } from "../view.ts"

export const account: readonly View[] = [
  { path: "/account", access: "general", component: view("account", () => import("./account.tsx")) },
  {
    path: "/sessions",
    access: "general",
    nav: { group: "account", label: "nav.sessions" },
    component: view("account", () => import("./sessions.tsx")),
  },
]
