import { CalendarSync, ChartColumn, ClipboardList, Presentation } from "lucide-preact"
import { type View, view } from "../view.ts"

export const reports: readonly View[] = [
  {
    path: "/reports",
    access: "group_admin",
    nav: { group: "insights", label: "nav.reports", icon: ChartColumn },
    component: view("reports", () => import("./reports.tsx")),
  },
  {
    path: "/reports/learners",
    access: "group_admin",
    nav: { group: "insights", label: "nav.report-learners", icon: ClipboardList, within: "/reports" },
    component: view("reports", () => import("./learner-report.tsx")),
  },
  {
    path: "/reports/classes",
    access: "group_admin",
    nav: { group: "insights", label: "nav.report-classes", icon: Presentation, within: "/reports" },
    component: view("reports", () => import("./class-report.tsx")),
  },
  {
    path: "/report-schedules",
    access: "group_admin",
    nav: { group: "insights", label: "nav.report-schedules", icon: CalendarSync, within: "/reports" },
    component: view("reports", () => import("./report-schedules.tsx")),
  },
]
