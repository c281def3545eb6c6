import { type View, view } from "../view.ts"

export const audit: readonly View[] = [
  {
    path: "/audit",
    access: "group_admin",
    nav: { group: "reports", label: "nav.audit" },
    component: view("audit", () => import("./audit.tsx")),
  },
]
