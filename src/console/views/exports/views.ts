import { type View, view } from "../view.ts"

export const exports: readonly View[] = [
  {
    path: "/exports",
    access: "group_admin",
    nav: { group: "reports", label: "nav.exports" },
    component: view("exports", () => import("./exports.tsx")),
  },
]
