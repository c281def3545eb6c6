import { type View, view } from "../view.ts"

export const figures: readonly View[] = [
  {
    path: "/figures",
    access: "group_admin",
    nav: { group: "academy", label: "nav.reports" },
    component: view("figures", () => import("./reports.tsx")),
  },
]
