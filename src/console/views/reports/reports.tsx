import { hasAccess, useMe } from "../../api/me.tsx"
import { t } from "../../messages/messages.ts"
import { Page } from "../../ui/page.tsx"
import { Attendance } from "./attendance.tsx"
import { CourseProgress } from "./course-progress.tsx"
import { CourseReports } from "./course-reports.tsx"

/** All reports. Only staff may see those by day, module and score. */
export default function Reports() {
  const me = useMe()
  return (
    <Page title={t("nav.reports")}>
      <div class="in-order">
        {hasAccess(me, "staff") && <CourseReports />}
        <CourseProgress />
        <Attendance />
      </div>
    </Page>
  )
}
