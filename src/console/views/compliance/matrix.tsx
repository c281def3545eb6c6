import { Grid3x3 } from "lucide-preact"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { ExportButton } from "../exports/export-button.tsx"
import { EXPORT_PATHS } from "../exports/export-kinds.ts"
import { MatrixCell, MatrixLegend } from "./matrix-cell.tsx"
import { MATRIX_FILTERS, MatrixFilters, useMatrixFilters } from "./matrix-filters.tsx"

type Row = RecordOf<"/api/reports/compliance-matrix">

const FORMATS = ["xlsx", "csv", "pdf"] as const

const columns = (courses: readonly { id: number; name: string }[]): Column<Row>[] => [
  {
    key: "name",
    title: t("compliance:person"),
    sort: "name",
    sticky: true,
    render: ({ user_id, name }) => <a href={`/console/users/${user_id}?tab=transcript`}>{name}</a>,
  },
  ...courses.map(
    ({ id, name }, index): Column<Row> => ({
      key: `course-${id}`,
      title: name,
      render: ({ cells }) => <MatrixCell cell={cells[index]} />,
    }),
  ),
]

/** Exports what the page shows. */
function ExportButtons({ query }: { query: ReturnType<typeof useMatrixQuery> }) {
  const { query: url } = useUrlState()
  const filter = {
    ...query,
    search_param: { ...query.search_param, ...(url.nameOrEmail && { nameOrEmail: url.nameOrEmail }) },
    ...(url.asOf && { asOf: url.asOf }),
  }
  return (
    <>
      {FORMATS.map((format) => (
        <ExportButton
          key={format}
          kind="matrix"
          label={t(`compliance:export.${format}`)}
          start={() => api.POST(EXPORT_PATHS.matrix, { body: { ...filter, format } })}
        />
      ))}
    </>
  )
}

/** The query of the filters that Listing does not have. */
function useMatrixQuery() {
  const { courseIds, groupId, ruleId } = useMatrixFilters()
  return {
    ...(groupId && { group_id: groupId }),
    search_param: { ...(courseIds.length > 0 && { courseIds }), ...(ruleId && { ruleId }) },
  }
}

/** People and courses in a grid: who completed what, and who is overdue, now or at the end of a past day. */
export default function Matrix() {
  const query = useMatrixQuery()
  return (
    <Page title={t("nav.matrix")} actions={<ExportButtons query={query} />}>
      <Listing
        path="/api/reports/compliance-matrix"
        caption={t("nav.matrix")}
        columns={({ courses }) => columns(courses)}
        keyOf={({ user_id }) => user_id}
        query={query}
        ownFilters={{ names: MATRIX_FILTERS, fields: <MatrixFilters /> }}
        empty={{ icon: Grid3x3, text: t("compliance:matrix.empty"), action: { label: t("nav.rules"), href: "/rules" } }}
        filters={[
          { name: "nameOrEmail", label: t("compliance:search") },
          { name: "asOf", label: t("compliance:matrix.as-of"), type: "date", isQueryParam: true },
        ]}
      >
        {({ courses, asOf }) => (
          <>
            <p class="quiet">
              {t("compliance:matrix.as-of")} <Time value={asOf} />
            </p>
            {courses.length === 0 && <p class="notice">{t("compliance:matrix.no-courses")}</p>}
          </>
        )}
      </Listing>
      <MatrixLegend />
    </Page>
  )
}
