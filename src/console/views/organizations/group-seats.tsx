import { Armchair } from "lucide-preact"
import { useState } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { number, t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { type Column, Table } from "../../ui/table.tsx"

type Seats = DataOf<"/api/group/{id}", "get">["course_seats"][number]
type NewSeats = Pick<Seats, "course_id" | "total_seats">

const MAX_SEATS = 10_000_000

interface GroupSeatsProps {
  seats: readonly Seats[]
  canChange: boolean
  save: (seats: NewSeats[]) => Promise<unknown>
}

/** The seats without those of a course, as the API takes them. */
const without = (seats: readonly Seats[], courseId: number | undefined): NewSeats[] =>
  seats
    .filter(({ course_id }) => course_id !== courseId)
    .map(({ course_id, total_seats }) => ({ course_id, total_seats }))

const removeColumn = (remove: (courseId: number) => void): Column<Seats> => ({
  key: "actions",
  title: t("actions"),
  render: ({ course_id, course_name }) => (
    <button type="button" onClick={() => remove(course_id)}>
      {t("organizations:seats.remove")} <span class="unseen">{course_name}</span>
    </button>
  ),
})

function AddSeats({ seats, save }: Pick<GroupSeatsProps, "seats" | "save">) {
  const [courseId, setCourseId] = useState<number>()
  const [savedCount, setSavedCount] = useState(0)
  return (
    <Form
      key={savedCount}
      submit={t("organizations:seats.save")}
      isReady={courseId !== undefined}
      onSubmit={async (values) => {
        await save([
          ...without(seats, courseId),
          { course_id: courseId ?? 0, total_seats: values.number("total_seats") ?? 0 },
        ])
        setCourseId(undefined)
        setSavedCount(savedCount + 1)
      }}
    >
      <Combobox
        name="course_seats"
        label={t("organizations:course")}
        hint={t("organizations:seats.hint")}
        path="/api/courses/tabularlist"
        searchBy="courseName"
        toChoice={({ id, name }) => ({ id, name })}
        onSelect={(choice) => setCourseId(choice?.id)}
        required
      />
      <TextField
        name="total_seats"
        label={t("organizations:seats.total")}
        type="number"
        min={0}
        max={MAX_SEATS}
        defaultValue={10}
        required
      />
    </Form>
  )
}

/** The seats that a group has in courses. */
export function GroupSeats({ seats, canChange, save }: GroupSeatsProps) {
  const [error, setError] = useState<unknown>()
  const remove = (courseId: number) => {
    setError(undefined)
    save(without(seats, courseId)).catch(setError)
  }
  return (
    <>
      <ErrorMessage error={error} />
      {seats.length === 0 ? (
        <EmptyState icon={Armchair} text={t("organizations:seats.empty")} />
      ) : (
        <Table
          caption={t("organizations:seats")}
          rows={seats}
          keyOf={({ course_id }) => course_id}
          columns={[
            {
              key: "course",
              title: t("organizations:course"),
              render: ({ course_id, course_name }) => <a href={`/console/courses/${course_id}`}>{course_name}</a>,
            },
            {
              key: "used",
              title: t("organizations:seats.used"),
              numeric: true,
              render: ({ used_seats, total_seats }) =>
                t("organizations:seats.used-of", { used: number(used_seats), total: number(total_seats) }),
            },
            ...(canChange ? [removeColumn(remove)] : []),
          ]}
        />
      )}
      {canChange && <AddSeats seats={seats} save={save} />}
    </>
  )
}
