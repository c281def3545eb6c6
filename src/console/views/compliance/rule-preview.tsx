import { keepPreviousData, useQuery } from "@tanstack/preact-query"
import { Users } from "lucide-preact"
import { useState } from "preact/hooks"
import type { DataOf, Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { number, t } from "../../messages/messages.ts"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"

type Preview = DataOf<"/api/assignment-rule/preview", "post">
type Request = Schemas["AssignmentRulePreviewRequest"]

const PEOPLE = ["assigned", "removed", "kept"] as const
type People = (typeof PEOPLE)[number]
const PAGE_SIZE = 10

const fetchPreview = async (body: Request) => (await api.POST("/api/assignment-rule/preview", { body })).data

/** The consequences beyond the people, those that are not zero. */
function consequencesOf({ people, enrollments }: Preview) {
  const counts = {
    created: enrollments.created,
    notified: people.notified,
    "enrollments-removed": enrollments.removed,
    waiting: enrollments.waiting,
    completed: enrollments.completed,
    moved: enrollments.dueDatesMoved,
    "without-date": people.withoutDate,
  }
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => ({ name, text: t(`compliance:preview.${name}`, { count, shown: number(count) }) }))
}

function PeoplePage({ request, show }: { request: Request; show: People }) {
  const [page, setPage] = useState(1)
  const body = { ...request, show, page_number: page, page_size: PAGE_SIZE }
  const query = useQuery({
    queryKey: ["/api/assignment-rule/preview", body],
    queryFn: () => fetchPreview(body),
    placeholderData: keepPreviousData,
    // What the rule would do changes with every enrollment.
    gcTime: 0,
  })
  return (
    <Loaded query={query}>
      {({ records, recordsTotal }) =>
        records.length === 0 ? (
          <EmptyState icon={Users} text={t("compliance:preview.nobody")} />
        ) : (
          <div aria-busy={query.isFetching}>
            <Table
              caption={t(`compliance:preview.${show}`)}
              columns={[
                { key: "name", title: t("compliance:person"), render: (row) => `${row.firstName} ${row.lastName}` },
                { key: "email", title: t("compliance:email"), render: ({ email }) => email },
                { key: "due", title: t("compliance:due"), render: ({ dueAt }) => <Time value={dueAt} /> },
              ]}
              rows={records}
              keyOf={({ id }) => id}
            />
            {recordsTotal > PAGE_SIZE && (
              <nav class="pager" aria-label={t("pages.of", { list: t("compliance:people") })}>
                <button type="button" disabled={page === 1} onClick={() => setPage(page - 1)}>
                  {t("pages.previous")}
                </button>
                <button type="button" disabled={page * PAGE_SIZE >= recordsTotal} onClick={() => setPage(page + 1)}>
                  {t("pages.next")}
                </button>
              </nav>
            )}
          </div>
        )
      }
    </Loaded>
  )
}

interface PendingPreview {
  request: Request
  preview: Preview
  save: () => Promise<unknown>
}

function PreviewDialog({ request, preview, save, onClose }: PendingPreview & { onClose: () => void }) {
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const submit = async () => {
    setIsBusy(true)
    try {
      await save()
      onClose()
    } catch (failure) {
      setError(failure)
      setIsBusy(false)
    }
  }
  const [show, setShow] = useState<People>(preview.people.removed > 0 ? "removed" : "assigned")
  const consequences = consequencesOf(preview)
  return (
    <Dialog title={t("compliance:preview")} onClose={onClose}>
      <ErrorMessage error={error} />
      {request.active === false && <p class="notice">{t("compliance:preview.inactive")}</p>}
      <div class="tiles">
        {PEOPLE.map((people) => (
          <button
            key={people}
            type="button"
            class={people === "removed" && preview.people.removed > 0 ? "tile overdue" : "tile"}
            aria-pressed={people === show}
            onClick={() => setShow(people)}
          >
            <span>{t(`compliance:preview.${people}`)}</span>
            <strong>{number(preview.people[people])}</strong>
          </button>
        ))}
      </div>
      {consequences.length > 0 && (
        <ul class="consequences">
          {consequences.map(({ name, text }) => (
            <li key={name}>{text}</li>
          ))}
        </ul>
      )}
      <PeoplePage key={show} request={request} show={show} />
      <div class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={submit}>
          {isBusy ? t("working") : t("compliance:preview.save")}
        </button>
        <CancelButton />
      </div>
    </Dialog>
  )
}

/**
 * Shows what a rule would do before it is saved: who would be assigned, notified and removed.
 * @returns the dialog, and a function that opens it
 */
export function useRulePreview() {
  const [pending, setPending] = useState<PendingPreview>()
  const open = async (request: Request, save: PendingPreview["save"]) => {
    const preview = await fetchPreview({ ...request, show: "assigned", page_size: 1 })
    setPending({ request, preview, save })
  }
  return { open, dialog: pending && <PreviewDialog {...pending} onClose={() => setPending(undefined)} /> }
}
