import { t } from "../../messages/messages.ts"
import { Page } from "../../ui/page.tsx"
import { CourseProgress } from "./course-progress.tsx"

/** The academy in pictures. */
export default function Figures() {
  return (
    <Page title={t("nav.figures")}>
      <CourseProgress />
    </Page>
  )
}
