import { Monitor, UserRound } from "lucide-preact"
import { type View, view } from "../view.ts"

export const account: readonly View[] = [
  {
    path: "/account",
    access: "general",
    nav: { group: "account", label: "nav.account", icon: UserRound },
    component: view("account", () => import("./account.tsx")),
  },
  {
    path: "/sessions",
    access: "general",
    nav: { group: "account", label: "nav.sessions", icon: Monitor, within: "/account" },
    component: view("account", () => import("./sessions.tsx")),
  },
]
