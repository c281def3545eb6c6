import { Presentation } from "lucide-preact"
import { type View, view } from "../view.ts"

export const teaching: readonly View[] = [
  {
    path: "/teaching",
    access: "group_admin",
    nav: { group: "training", label: "nav.teaching", icon: Presentation },
    component: view("teaching", () => import("./teaching.tsx")),
  },
]
