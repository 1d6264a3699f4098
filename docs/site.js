// The programs of one example in several languages as tabs (ARIA Authoring Practices, "Tabs"). Without scripts, and on code
// hosts, they follow each other. The language that a reader chooses is shown in each example.
const STORED = "tender-language";
const groups = Array.from(document.querySelectorAll(".languages"), (group) => {
  const list = document.createElement("div");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Language");
  const tabs = Array.from(group.querySelectorAll(":scope > h3"), (heading) => {
    const panel = document.createElement("section");
    const tab = document.createElement("button");
    heading.before(panel);
    while (panel.nextSibling && (panel.nextSibling === heading || panel.nextSibling.nodeName !== "H3")) {
      panel.append(panel.nextSibling);
    }
    tab.textContent = heading.textContent;
    tab.id = `tab-${heading.id}`;
    panel.id = `panel-${heading.id}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    list.append(tab);
    return { language: heading.textContent, tab, panel };
  });
  group.prepend(list);
  return { list, tabs };
});

const select = (language) => {
  for (const { tabs } of groups) {
    if (!tabs.some((tab) => tab.language === language)) continue;
    for (const { tab, panel, ...other } of tabs) {
      const isSelected = other.language === language;
      tab.setAttribute("aria-selected", isSelected);
      tab.tabIndex = isSelected ? 0 : -1;
      panel.hidden = !isSelected;
    }
  }
};

const choose = (language) => {
  select(language);
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // Without storage, the choice is the page's.
  }
};

// A link to a heading or something below it shows its language.
const follow = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const panel = target?.closest("[role=tabpanel]");
  const found = groups.flatMap(({ tabs }) => tabs).find((tab) => tab.panel === panel);
  if (!found) return;
  select(found.language);
  target.scrollIntoView();
};

for (const { list, tabs } of groups) {
  select(tabs[0].language);
  list.addEventListener("click", ({ target }) => {
    const chosen = tabs.find(({ tab }) => tab === target);
    if (chosen) choose(chosen.language);
  });
  list.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const index = tabs.findIndex(({ tab }) => tab === document.activeElement);
    const next = tabs.at((index + step) % tabs.length);
    choose(next.language);
    next.tab.focus();
  });
}
try {
  select(localStorage.getItem(STORED));
} catch {
  // The first language is shown.
}
follow();
addEventListener("hashchange", follow);

// What can be scrolled can be reached by the keyboard.
for (const wrapper of document.querySelectorAll(".table-wrapper, .diagram")) {
  if (wrapper.scrollWidth > wrapper.clientWidth) wrapper.tabIndex = 0;
}
