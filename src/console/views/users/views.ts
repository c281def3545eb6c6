import { type View, view } from "../view.ts"

export const people: readonly View[] = [
  {
    path: "/users",
    access: "group_admin",
    nav: { group: "people", label: "nav.users" },
    component: view("people", () => import("./users.tsx")),
  },
  { path: "/users/new", access: "staff", component: view("people", () => import("./new-user.tsx")) },
  { path: "/users/:id", access: "group_admin", component: view("people", () => import("./user.tsx")) },
  { path: "/users/:id/edit", access: "general", component: view("people", () => import("./edit-user.tsx")) },
  {
    path: "/enrollments",
    access: "group_admin",
    nav: { group: "people", label: "nav.enrollments" },
    component: view("people", () => import("./enroll-users.tsx")),
  },
  {
    path: "/upload",
    access: "staff",
    nav: { group: "people", label: "nav.import" },
    component: view("people", () => import("./import-users.tsx")),
  },
]
