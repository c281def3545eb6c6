import { Star } from "lucide-preact"
import { type View, view } from "../view.ts"

export const reviews: readonly View[] = [
  {
    path: "/reviews",
    access: "staff",
    nav: { group: "training", label: "nav.reviews", icon: Star, within: "/courses" },
    component: view("reviews", () => import("./reviews.tsx")),
  },
]
