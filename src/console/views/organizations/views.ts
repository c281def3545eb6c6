import { AtSign, Building2, CreditCard, ListPlus, MapPin, Tags, UsersRound } from "lucide-preact"
import { type View, view } from "../view.ts"

export const organizations: readonly View[] = [
  {
    path: "/groups",
    access: "group_admin",
    nav: { group: "people", label: "nav.groups", icon: UsersRound, within: "/users" },
    component: view("organizations", () => import("./groups.tsx")),
  },
  { path: "/groups/:id", access: "group_admin", component: view("organizations", () => import("./group.tsx")) },
  {
    path: "/portals",
    access: "group_admin",
    nav: { group: "people", label: "nav.portals", icon: Building2, within: "/users" },
    component: view("organizations", () => import("./portals.tsx")),
  },
  { path: "/portals/:id", access: "group_admin", component: view("organizations", () => import("./portal.tsx")) },
  {
    path: "/locations",
    access: "staff",
    nav: { group: "training", label: "nav.locations", icon: MapPin, within: "/classes" },
    component: view("organizations", () => import("./locations.tsx")),
  },
  {
    path: "/categories",
    access: "staff",
    nav: { group: "training", label: "nav.categories", icon: Tags, within: "/courses" },
    component: view("organizations", () => import("./categories.tsx")),
  },
  {
    path: "/memberships",
    access: "staff",
    nav: { group: "settings", label: "nav.memberships", icon: CreditCard, within: "/settings" },
    component: view("organizations", () => import("./memberships.tsx")),
  },
  {
    path: "/custom-fields",
    access: "admin",
    nav: { group: "settings", label: "nav.custom-fields", icon: ListPlus, within: "/settings" },
    component: view("organizations", () => import("./custom-fields.tsx")),
  },
  {
    path: "/email-rules",
    access: "staff",
    nav: { group: "settings", label: "nav.email-rules", icon: AtSign, within: "/settings" },
    component: view("organizations", () => import("./email-rules.tsx")),
  },
]
