/** One question, whose first answer is correct. */
export const questions = [
  {
    text: "Which is right?",
    type: "single",
    points: 10,
    options: [
      { text: "This one", correct: true },
      { text: "That one", correct: false },
    ],
  },
]
