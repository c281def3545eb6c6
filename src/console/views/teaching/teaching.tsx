import { Presentation } from "lucide-preact"
import type { DataOf } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Table } from "../../ui/table.tsx"
import { Tile } from "../../ui/tile.tsx"
import { AtRiskList } from "./at-risk-list.tsx"
import "./teaching.css"

type Taught = DataOf<"/api/reports/taught-courses", "get">["courses"][number]

const sum = (courses: readonly Taught[], member: "toGrade" | "overdue" | "atRisk" | "learners") =>
  courses.reduce((total, course) => total + course[member], 0)

/** A number with a link to its list; no link for 0. */
const Count = ({ value, href, status }: { value: number; href: string; status: string }) =>
  value === 0 ? (
    <span class="quiet">{number(0)}</span>
  ) : (
    <a href={href}>
      <Badge status={status}>{number(value)}</Badge>
    </a>
  )

const CourseTable = ({ courses }: { courses: readonly Taught[] }) => (
  <Table
    caption={t("teaching:my-courses")}
    rows={courses}
    keyOf={({ id }) => id}
    columns={[
      {
        key: "name",
        title: t("teaching:course"),
        render: ({ id, name, status }) => (
          <>
            <a href={`/console/courses/${id}`}>{name}</a>{" "}
            {status === "draft" && <Badge status="draft">{t("teaching:draft")}</Badge>}
          </>
        ),
      },
      {
        key: "learners",
        title: t("teaching:learners"),
        numeric: true,
        render: ({ id, learners }) => <a href={`/console/courses/${id}?tab=learners`}>{number(learners)}</a>,
      },
      {
        key: "to-grade",
        title: t("teaching:to-grade"),
        numeric: true,
        render: ({ id, toGrade }) => (
          <Count value={toGrade} href={`/console/assignments?course=${id}&status=Submitted`} status="submitted" />
        ),
      },
      {
        key: "at-risk",
        title: t("teaching:at-risk"),
        numeric: true,
        render: ({ id, atRisk }) => (
          <Count value={atRisk} href={`/console/courses/${id}?tab=at-risk`} status="overdue" />
        ),
      },
      {
        key: "gradebook",
        title: t("teaching:gradebook"),
        render: ({ id, name }) => (
          <a href={`/console/courses/${id}?tab=gradebook`}>
            {t("teaching:open")} <span class="unseen">{name}</span>
          </a>
        ),
      },
    ]}
  />
)

/** The caller's courses, with what needs attention, and the learners at risk in all of them. */
export default function Teaching() {
  const taught = useRead("/api/reports/taught-courses")
  return (
    <Page title={t("teaching:title")}>
      <Loaded query={taught}>
        {({ courses }) =>
          courses.length === 0 ? (
            <EmptyState
              icon={Presentation}
              text={t("teaching:no-courses")}
              action={{ label: t("nav.courses"), href: "/courses" }}
            />
          ) : (
            <div class="in-order">
              <ul class="tiles" aria-label={t("teaching:my-courses")}>
                <Tile
                  href="/assignments?status=Submitted"
                  label={t("teaching:to-grade")}
                  value={sum(courses, "toGrade")}
                  status="due_soon"
                />
                <Tile href="/teaching" label={t("teaching:at-risk")} value={sum(courses, "atRisk")} status="overdue" />
                <Tile
                  href="/teaching?reason=overdue"
                  label={t("teaching:reason.overdue")}
                  value={sum(courses, "overdue")}
                />
                <Tile href="/courses" label={t("teaching:learners")} value={sum(courses, "learners")} />
              </ul>
              <h2>{t("teaching:my-courses")}</h2>
              <CourseTable courses={courses} />
              <h2 class="below">{t("teaching:at-risk")}</h2>
              <AtRiskList />
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}
