import { type View, view } from "../view.ts"

export const reports: readonly View[] = [
  {
    path: "/reports",
    access: "group_admin",
    nav: { group: "reports", label: "nav.reports" },
    component: view("reports", () => import("./reports.tsx")),
  },
]
