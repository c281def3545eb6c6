import { FileUp, UserPlus, Users } from "lucide-preact"
import { prefetchList, prefetchRead } from "../../api/queries.ts"
import { type View, view } from "../view.ts"

export const users: readonly View[] = [
  {
    path: "/users",
    access: "group_admin",
    nav: { group: "people", label: "nav.users", icon: Users },
    component: view("users", () => import("./users.tsx")),
    prefetch: ({ search }) => search || prefetchList("/api/users/tabularlist"),
  },
  { path: "/users/new", access: "staff", component: view("users", () => import("./new-user.tsx")) },
  {
    path: "/users/:id",
    access: "group_admin",
    component: view("users", () => import("./user.tsx")),
    prefetch: ({ id }) => prefetchRead("/api/user/{id}", { params: { path: { id: id("id") } } }),
  },
  {
    path: "/users/:id/courses/:course",
    access: "group_admin",
    component: view("users", () => import("./course-progress.tsx")),
  },
  { path: "/users/:id/edit", access: "general", component: view("users", () => import("./edit-user.tsx")) },
  {
    path: "/enrollments",
    access: "group_admin",
    nav: { group: "people", label: "nav.enrollments", icon: UserPlus, within: "/users" },
    component: view("users", () => import("./enroll-users.tsx")),
  },
  {
    path: "/upload",
    access: "staff",
    nav: { group: "people", label: "nav.import", icon: FileUp, within: "/users" },
    component: view("users", () => import("./import-users.tsx")),
  },
]
