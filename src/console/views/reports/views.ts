import { ChartColumn } from "lucide-preact"
import { type View, view } from "../view.ts"

export const reports: readonly View[] = [
  {
    path: "/reports",
    access: "group_admin",
    nav: { group: "insights", label: "nav.reports", icon: ChartColumn },
    component: view("reports", () => import("./reports.tsx")),
  },
]
