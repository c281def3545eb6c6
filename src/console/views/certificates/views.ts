import { type View, view } from "../view.ts"

export const certificates: readonly View[] = [
  {
    path: "/certificates",
    access: "staff",
    nav: { group: "rewards", label: "nav.certificates" },
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
