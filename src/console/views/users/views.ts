import { type View, view } from "../view.ts"

export const users: readonly View[] = [
  {
    path: "/users",
    access: "group_admin",
    nav: { group: "users", label: "nav.users" },
    component: view("users", () => import("./users.tsx")),
  },
  { path: "/users/new", access: "staff", component: view("users", () => import("./new-user.tsx")) },
  { path: "/users/:id", access: "group_admin", component: view("users", () => import("./user.tsx")) },
  { path: "/users/:id/edit", access: "general", component: view("users", () => import("./edit-user.tsx")) },
  {
    path: "/enrollments",
    access: "group_admin",
    nav: { group: "users", label: "nav.enrollments" },
    component: view("users", () => import("./enroll-users.tsx")),
  },
  {
    path: "/upload",
    access: "staff",
    nav: { group: "users", label: "nav.import" },
    component: view("users", () => import("./import-users.tsx")),
  },
]
