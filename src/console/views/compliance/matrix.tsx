import { Download, Grid3x3 } from "lucide-preact"
import { useMemo } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useNavigate, useUrlState } from "../../ui/url-state.ts"
import { EXPORT_PATHS, startedExports } from "../exports/export-kinds.ts"
import { MatrixCell, MatrixLegend } from "./matrix-cell.tsx"
import { MATRIX_FILTERS, MatrixFilters, useMatrixFilters } from "./matrix-filters.tsx"

type Row = RecordOf<"/api/reports/compliance-matrix">

const FORMATS = ["xlsx", "csv", "pdf"] as const
type Format = (typeof FORMATS)[number]

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

/** Exports what the page shows, and opens the list of exports, which has the progress and the file. */
function ExportButtons({ query }: { query: ReturnType<typeof useMatrixQuery> }) {
  const me = useMe()
  const go = useNavigate()
  const { query: url } = useUrlState()
  const { add } = useMemo(() => startedExports(me.id), [me.id])
  const start = useChange({
    call: (format: Format) =>
      api.POST(EXPORT_PATHS.matrix, {
        body: {
          ...query,
          search_param: { ...query.search_param, ...(url.nameOrEmail && { nameOrEmail: url.nameOrEmail }) },
          ...(url.asOf && { asOf: url.asOf }),
          format,
        },
      }),
    invalidates: [],
  })
  return (
    <>
      {FORMATS.map((format) => (
        <button
          key={format}
          type="button"
          disabled={start.isPending}
          onClick={() =>
            start.mutate(format, {
              onSuccess: ({ export_id }) => {
                add({ id: export_id, kind: "matrix", at: Date.now() })
                go("/exports")
              },
            })
          }
        >
          <Download size={16} aria-hidden /> {t(`compliance:export.${format}`)}
        </button>
      ))}
      <ErrorMessage error={start.error} />
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
