import { Award } from "lucide-preact"
import { type View, view } from "../view.ts"

export const certificates: readonly View[] = [
  {
    path: "/certificates",
    access: "staff",
    nav: { group: "training", label: "nav.certificates", icon: Award },
    component: view("certificates", () => import("./templates.tsx")),
  },
  {
    path: "/certificates/issued",
    access: "staff",
    component: view("certificates", () => import("./issued-certificates.tsx")),
  },
  {
    path: "/certificates/:id",
    access: "staff",
    component: view("certificates", () => import("./template-designer.tsx")),
  },
]
