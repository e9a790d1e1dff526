"""The container hosts' commands on three nodes: thirty rounds, not one lost row."""

import story
import test_container_hosts


class ContainerHostsOnThreeNodes(test_container_hosts.ThreeClients):
    factor = 2
    size = 400

    def test_thirty_rounds_out_of_thirty(self):
        self.rounds(30)

    def test_the_output_is_what_they_look_at(self):
        self.check_output()


if __name__ == "__main__":
    story.main()
