// Where columns stand one below the other, the one that comes first may lie above what was pressed.
export default function () {
  if (matchMedia("(max-width: 640px)").matches) document.querySelector(".stMain").scrollTo({ top: 0 });
}
