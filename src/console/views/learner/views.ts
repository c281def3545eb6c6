import { Award, BookOpen, CalendarDays, ClipboardList, Megaphone } from "lucide-preact"
import { prefetchRead } from "../../api/queries.ts"
import { type View, view } from "../view.ts"

export const learner: readonly View[] = [
  {
    path: "/learning",
    access: "general",
    nav: { group: "start", label: "nav.my-courses", icon: BookOpen, section: "nav.section.learning" },
    component: view("learner", () => import("./my-courses.tsx")),
  },
  { path: "/learning/library", access: "general", component: view("learner", () => import("./catalog.tsx")) },
  {
    path: "/learning/:courseId/:registrationId",
    access: "general",
    component: view("learner", () => import("./course.tsx")),
    prefetch: ({ id }) => {
      prefetchRead("/api/course/{id}", { params: { path: { id: id("courseId") } } })
      prefetchRead("/api/course/modules", { params: { query: { registrationId: id("registrationId") } } })
    },
  },
  {
    path: "/my-assignments",
    access: "general",
    nav: { group: "start", label: "nav.my-assignments", icon: ClipboardList, within: "/learning" },
    component: view("learner", () => import("./my-assignments.tsx")),
  },
  {
    path: "/my-classes",
    access: "general",
    nav: { group: "start", label: "nav.my-classes", icon: CalendarDays, within: "/learning" },
    component: view("learner", () => import("./my-classes.tsx")),
  },
  {
    path: "/my-classes/:registrationId",
    access: "general",
    component: view("learner", () => import("./my-class.tsx")),
  },
  {
    path: "/my-certificates",
    access: "general",
    nav: { group: "start", label: "nav.my-certificates", icon: Award, within: "/learning" },
    component: view("learner", () => import("./my-certificates.tsx")),
  },
  {
    path: "/my-announcements",
    access: "general",
    nav: { group: "start", label: "nav.my-announcements", icon: Megaphone, within: "/learning" },
    component: view("learner", () => import("./my-announcements.tsx")),
  },
]
