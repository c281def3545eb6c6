import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { Confirm } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import type { CoursePart } from "./course-tab.ts"
import { EnrollDialog } from "./enroll-dialog.tsx"
import { choicesOf, wordOf } from "./labels.ts"

type Learner = RecordOf<"/api/course/enrolled-students">
const nameOf = ({ first_name, last_name }: Learner) => `${first_name} ${last_name}`

const columns = (): Column<Learner>[] => [
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
        <span class="badge">{wordOf("progress", status)}</span>
        {access_status === "Expired" && <span class="badge">{t("courses:expired")}</span>}
      </>
    ),
  },
  {
    key: "progress",
    title: t("courses:progress"),
    numeric: true,
    render: ({ percentComplete }) => percent(percentComplete / 100),
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

const ACTS = ["unenroll", "reset", "recertify"] as const
type Act = (typeof ACTS)[number]

/** What the API does for one of the acts. */
async function perform(act: Act, courseId: number, learners: readonly Learner[]) {
  if (act === "unenroll") {
    const user_ids = learners.map(({ user_id }) => user_id)
    return await api.POST("/api/course/unenroll", { body: { course_ids: [courseId], user_ids } })
  }
  if (act === "reset") {
    const registration_ids = learners.map(({ id }) => id)
    return await api.POST("/api/course/reset", { body: { registration_ids } })
  }
  // One at a time: each may be refused for a reason of its own, and what went before it is done.
  const [first, ...others] = learners
  let done = await api.POST("/api/course/recertify", { body: { registrationId: first?.id ?? 0 } })
  for (const { id } of others) done = await api.POST("/api/course/recertify", { body: { registrationId: id } })
  return done
}

/** A course's learners: how far they are, and what can be done for them. */
export function CourseLearners({ record: course }: CoursePart) {
  const me = useMe()
  const [asked, setAsked] = useState<{ act: Act; learners: readonly Learner[]; clear: () => void }>()
  const [enrolls, setEnrolls] = useState(false)
  const change = useChange({
    call: ({ act, learners }: { act: Act; learners: readonly Learner[] }) => perform(act, course.id, learners),
    changes: ["/api/course"],
  })
  const enroll = useChange({
    call: (user_ids: number[]) => api.POST("/api/course/enroll", { body: { course_ids: [course.id], user_ids } }),
    changes: ["/api/course"],
  })
  return (
    <>
      {may(me, "staff") && (
        <p>
          <button type="button" class="primary" onClick={() => setEnrolls(true)}>
            {t("courses:enroll")}
          </button>
        </p>
      )}
      <Listing
        path="/api/course/enrolled-students"
        caption={t("courses:tab.learners")}
        columns={columns()}
        query={{ course_id: course.id, group_id: "" }}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        filters={[
          { name: "nameOrEmail", label: t("courses:learner.search") },
          {
            name: "status",
            label: t("courses:status"),
            options: choicesOf("progress", ["Not Started", "In Progress", "Completed"]),
            toApi: (status) => [status],
          },
        ]}
        empty={t("courses:learners.none")}
        {...(may(me, "staff") && {
          actions: (learners: readonly Learner[], clear: () => void) =>
            ACTS.map((act) => (
              <button key={act} type="button" onClick={() => setAsked({ act, learners, clear })}>
                {t(`courses:action.${act}`)}
              </button>
            )),
        })}
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
      {asked && (
        <Confirm
          title={t(`courses:action.${asked.act}`)}
          confirm={t(`courses:action.${asked.act}`)}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            await change.mutateAsync(asked)
            asked.clear()
          }}
        >
          <p>{t(`courses:action.${asked.act}.text`, { course: course.name })}</p>
          <ul>
            {asked.learners.map((learner) => (
              <li key={learner.id}>{nameOf(learner)}</li>
            ))}
          </ul>
        </Confirm>
      )}
      {enrolls && (
        <EnrollDialog
          title={t("courses:enroll.into", { name: course.name })}
          onEnroll={enroll.mutateAsync}
          onClose={() => setEnrolls(false)}
        />
      )}
    </>
  )
}
