import { may, useMe } from "../../api/me.tsx"
import { t } from "../../messages/messages.ts"
import { Page } from "../../ui/page.tsx"
import { Attendance } from "./attendance.tsx"
import { CourseProgress } from "./course-progress.tsx"
import { CourseFigures } from "./course-reports.tsx"

/** The academy in pictures: those by day, module and score are staff's. */
export default function Figures() {
  const me = useMe()
  return (
    <Page title={t("nav.reports")}>
      <div class="in-order">
        {may(me, "staff") && <CourseFigures />}
        <CourseProgress />
        <Attendance />
      </div>
    </Page>
  )
}
