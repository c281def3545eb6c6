import { Images } from "lucide-preact"
import { type View, view } from "../view.ts"

export const media: readonly View[] = [
  {
    path: "/media",
    access: "staff",
    nav: { group: "training", label: "nav.media", icon: Images, within: "/courses" },
    component: view("media", () => import("./library.tsx")),
  },
  { path: "/media/:id", access: "staff", component: view("media", () => import("./media-file.tsx")) },
]
