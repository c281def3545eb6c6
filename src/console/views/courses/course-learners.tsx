import { Users } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { invalidatePaths, useChange } from "../../api/queries.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { MessageDialog } from "../teaching/dialogs.ts"
import type { CourseTabProps } from "./course-tab.ts"
import { InviteDialog } from "./invite-dialog.tsx"
import { labelFor, optionsFor } from "./labels.ts"

type Learner = RecordOf<"/api/course/enrolled-students">
const nameOf = ({ first_name, last_name }: Learner) => `${first_name} ${last_name}`

const columns = (courseId: number): Column<Learner>[] => [
  {
    key: "name",
    title: t("courses:learner"),
    sort: "last_name",
    render: (learner) => <a href={`/console/users/${learner.user_id}`}>{nameOf(learner)}</a>,
  },
  { key: "email", title: t("courses:email"), sort: "email", render: ({ email }) => email },
  {
    key: "status",
    title: t("courses:status"),
    sort: "status",
    render: ({ status, access_status }) => (
      <>
        <Badge status={status}>{labelFor("progress", status)}</Badge>
        {access_status === "Expired" && <Badge status="expired">{t("courses:expired")}</Badge>}
      </>
    ),
  },
  {
    key: "progress",
    title: t("courses:progress"),
    numeric: true,
    render: (learner) => (
      <a
        href={`/console/users/${learner.user_id}/courses/${courseId}`}
        aria-label={t("courses:learner.progress", { name: nameOf(learner) })}
      >
        {percent(learner.percentComplete / 100)}
      </a>
    ),
  },
  {
    key: "registered",
    title: t("courses:enrolled-on"),
    sort: "registered_on",
    render: ({ registered_on }) => <Time value={registered_on} />,
  },
  {
    key: "accessed",
    title: t("courses:last-accessed"),
    render: ({ last_accessed_on }) => <Time value={last_accessed_on} none={t("courses:never")} />,
  },
  {
    key: "expires",
    title: t("courses:expires"),
    render: ({ expire_on }) => <Time value={expire_on} none={t("courses:never")} />,
  },
]

const ACTIONS = ["unenroll", "reset", "recertify"] as const
type Action = (typeof ACTIONS)[number]

async function perform(action: Action, courseId: number, learners: readonly Learner[]) {
  if (action === "unenroll") {
    const user_ids = learners.map(({ user_id }) => user_id)
    return await api.POST("/api/course/unenroll", { body: { course_ids: [courseId], user_ids } })
  }
  if (action === "reset") {
    const registration_ids = learners.map(({ id }) => id)
    return await api.POST("/api/course/reset", { body: { registration_ids } })
  }
  // One request per learner: each may fail for its own reason, and earlier ones stay done.
  const [first, ...others] = learners
  try {
    let response = await api.POST("/api/course/recertify", { body: { registrationId: first?.id ?? 0 } })
    for (const { id } of others) response = await api.POST("/api/course/recertify", { body: { registrationId: id } })
    return response
  } catch (failure) {
    await invalidatePaths(["/api/course"])
    throw failure
  }
}

/** The learners of a course with their progress and bulk actions. */
export function CourseLearners({ record: course }: CourseTabProps) {
  const me = useMe()
  const [pendingAction, setPendingAction] = useState<{
    action: Action
    learners: readonly Learner[]
    clear: () => void
  }>()
  const [isInviting, setInviting] = useState(false)
  const [recipients, setRecipients] = useState<{ learners: readonly Learner[]; clear: () => void }>()
  const change = useChange({
    call: ({ action, learners }: { action: Action; learners: readonly Learner[] }) =>
      perform(action, course.id, learners),
    invalidates: ["/api/course"],
  })
  return (
    <>
      <Listing
        path="/api/course/enrolled-students"
        caption={t("courses:tab.learners")}
        columns={columns(course.id)}
        query={{ course_id: course.id, group_id: "" }}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        filters={[
          { name: "nameOrEmail", label: t("courses:learner.search") },
          {
            name: "status",
            label: t("courses:status"),
            options: optionsFor("progress", ["Not Started", "In Progress", "Completed"]),
            toApi: (status) => [status],
          },
        ]}
        empty={{
          icon: Users,
          text: t("courses:learners.none"),
          ...(hasAccess(me, "staff") && { action: { label: t("courses:invite"), onClick: () => setInviting(true) } }),
        }}
        actions={(learners, clear) => (
          <>
            <button type="button" onClick={() => setRecipients({ learners, clear })}>
              {t("courses:action.message")}
            </button>
            {hasAccess(me, "staff") &&
              ACTIONS.map((action) => (
                <button key={action} type="button" onClick={() => setPendingAction({ action, learners, clear })}>
                  {t(`courses:action.${action}`)}
                </button>
              ))}
          </>
        )}
      >
        {({ totalNotStarted, totalInProgress, totalCompleted }) => (
          <p class="quiet">
            {t("courses:learners.totals", {
              notStarted: number(totalNotStarted),
              inProgress: number(totalInProgress),
              completed: number(totalCompleted),
            })}
          </p>
        )}
      </Listing>
      {pendingAction && (
        <ConfirmDialog
          title={t(`courses:action.${pendingAction.action}`)}
          confirm={t(`courses:action.${pendingAction.action}`)}
          onClose={() => setPendingAction(undefined)}
          onConfirm={async () => {
            await change.mutateAsync(pendingAction)
            pendingAction.clear()
          }}
        >
          <p>{t(`courses:action.${pendingAction.action}.text`, { course: course.name })}</p>
          <ul>
            {pendingAction.learners.map((learner) => (
              <li key={learner.id}>{nameOf(learner)}</li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
      {isInviting && <InviteDialog course={course} onClose={() => setInviting(false)} />}
      {recipients && (
        <MessageDialog
          people={recipients.learners.map((learner) => ({ id: learner.user_id, name: nameOf(learner) }))}
          onDone={recipients.clear}
          onClose={() => setRecipients(undefined)}
        />
      )}
    </>
  )
}
