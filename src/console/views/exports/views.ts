import { FileSpreadsheet } from "lucide-preact"
import { type View, view } from "../view.ts"

export const exports: readonly View[] = [
  {
    path: "/exports",
    access: "group_admin",
    nav: { group: "insights", label: "nav.exports", icon: FileSpreadsheet, within: "/reports" },
    component: view("exports", () => import("./exports.tsx")),
  },
]
